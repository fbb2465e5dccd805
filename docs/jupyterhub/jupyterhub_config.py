"""A hub on one machine, to try the course out: each student is a user of the machine.

`jupyterhub -f jupyterhub_config.py`, as root, in the environment that the students share.
"""

import os
import sys
from pathlib import Path

c = get_config()  # noqa: F821

SERVERS = Path(__file__).with_name("student_servers.py")
PASSWORD = os.environ.get("TRIAL_PASSWORD", "")
if not SERVERS.is_file():
    sys.exit(f"{SERVERS} is missing: copy it from the course's docs/jupyterhub/.")
if len(PASSWORD) < 8:  # JupyterHub's own limit
    sys.exit("TRIAL_PASSWORD is missing or short: export one of 8 characters or more.")

load_subconfig(str(SERVERS))  # noqa: F821
c.JupyterHub.bind_url = "http://127.0.0.1:8000"
# One password for all: for a trial, and nothing else.
c.JupyterHub.authenticator_class = "shared-password"
c.SharedPasswordAuthenticator.user_password = PASSWORD
c.Authenticator.allowed_users = {"ada", "grace"}
c.Spawner.default_url = "/lab"
