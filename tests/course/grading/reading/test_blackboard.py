"""Usernames may hold underscores, as names of assignments do."""

from course.grading.reading.blackboard import people, usernames

RECEIPT = "Name: {} ({})\nAssignment: Exercise 5\nDate Submitted: Friday\n\nComments:\n(eve)"


def receipt(user: str, name: str = "Jane Doe") -> bytes:
    return RECEIPT.format(name, user).encode()


def test_a_receipt_tells_the_username_of_its_file_and_the_assignment_of_all():
    names = ["Ex_5_a_b", "Ex_5_c_b", "Ex_5_d", "Other_x"]
    assert usernames(names, {"Ex_5_a_b": receipt("a_b")}) == {
        "Ex_5_a_b": "a_b",
        "Ex_5_c_b": "c_b",
        "Ex_5_d": "d",
        "Other_x": "x",
    }


def test_without_receipts_it_is_what_stands_after_the_last_underscore():
    assert usernames(["Ex_5_ann"], {}) == {"Ex_5_ann": "ann"}


def test_nobody_gets_anothers_name_by_their_own():
    assert usernames(["Ex_eve"], {"Ex_eve": receipt("eve", "Bob (bob)")}) == {"Ex_eve": "eve"}
    assert usernames(["Ex_eve"], {"Ex_eve": receipt("bob")}) == {"Ex_eve": "eve"}


def test_a_receipt_that_is_none_tells_nothing():
    for content in (b"", b"\xff\xfe", b"Name: " + b"(" * 5000, b"Name: x (a\nb)", receipt("")):
        assert usernames(["Ex_5_ann"], {"Ex_5_ann": content}) == {"Ex_5_ann": "ann"}


def test_a_receipt_names_its_own_person_in_all_assignments():
    receipts = {"Ex_5_ann": receipt("ann"), "Ex_5_eve": receipt("bob", "Bob"), "Ex_5_x": b"x"}
    users = usernames([*receipts, "Ex_6_ann"], receipts)
    assert people(users, receipts) == {"ann": "Jane Doe"}
    odd = receipt("ann", "Jane  (JJ)\x1b Doe ")
    assert people({"Ex_ann": "ann"}, {"Ex_ann": odd}) == {"ann": "Jane (JJ)\ufffd Doe"}
    assert people({"Ex_ann": "ann"}, {"Ex_ann": receipt("ann", "")}) == {}
