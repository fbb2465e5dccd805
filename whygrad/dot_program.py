"""How to get Graphviz's `dot`: said by the drawings, the set-up and the doctor alike."""

HOW_TO_GET_DOT = (
    "Graphviz's program `dot` was not found; to get pictures of graphs, install it "
    "(Debian, Ubuntu: `sudo apt-get install graphviz`; macOS: `brew install graphviz`; "
    "Windows: `winget install graphviz`, and put its folder `bin` on PATH; "
    "conda: `conda install -c conda-forge graphviz`) "
    "and start again."
)
