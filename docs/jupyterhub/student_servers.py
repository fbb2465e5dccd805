"""What each student's server is told, on The Littlest JupyterHub and on one machine by hand."""

c = get_config()  # noqa: F821

c.Spawner.environment.update(
    {
        # Each kernel keeps to one core, and waits without keeping it busy.
        "OMP_NUM_THREADS": "1",
        "OMP_WAIT_POLICY": "PASSIVE",
        # The kernel is the hub's, whatever a student has installed at home.
        "JUPYTER_PREFER_ENV_PATH": "1",
    }
)
