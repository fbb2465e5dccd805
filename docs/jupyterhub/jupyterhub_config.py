"""A hub on one machine, to try the course out: each student is a user of the machine.

`jupyterhub -f jupyterhub_config.py`, as root, in the environment that the students share.
"""

import os

c = get_config()  # noqa: F821
load_subconfig("student_servers.py", path=os.path.dirname(__file__))  # noqa: F821, PTH120

c.JupyterHub.bind_url = "http://127.0.0.1:8000"
# One password for all: for a trial, and nothing else.
c.JupyterHub.authenticator_class = "dummy"
c.DummyAuthenticator.password = os.environ["TRIAL_PASSWORD"]
c.Authenticator.allowed_users = {"ada", "grace"}
c.Spawner.default_url = "/lab"
