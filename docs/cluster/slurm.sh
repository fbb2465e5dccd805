#!/bin/bash
# Grade a class on the nodes of one SLURM job. In the folder of the course, where key.pem and
# cert.pem lie, with what else `course grade` needs:
#
#     sbatch docs/cluster/slurm.sh submissions.zip --exercise 05 -o report
#
#SBATCH --job-name=course-grade
#SBATCH --nodes=4
#SBATCH --ntasks-per-node=1
# As many submissions at a time on each node, and 2.5 GB for each.
#SBATCH --cpus-per-task=16
#SBATCH --mem=40G
# What is not graded by then is graded when the same command is given again.
#SBATCH --time=02:00:00
# A node that fails does not end the others.
#SBATCH --no-kill
#SBATCH --output=course-grade-%j.log
set -eu
# What else `dask scheduler` and `dask worker` need here, such as --interface ib0, and the latter
# alone, such as --worker-port 40000:40999 --nanny-port 41000:41999.
both=""
worker=""

if [ ! -x .venv/bin/dask ]; then
    echo "There is no .venv/bin/dask in $PWD: give sbatch in the folder of the course, set up for Dask."
    exit 2
fi
# Two jobs may share a node, and not a port.
address=tls://$(hostname):$((20000 + SLURM_JOB_ID % 10000))
both="$both --dashboard-address 127.0.0.1:0"
both="$both --tls-ca-file cert.pem --tls-cert cert.pem --tls-key key.pem"
export DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL=60s # of a node that does not answer
trap 'kill $(jobs -p) 2>/dev/null; wait' EXIT
{
    .venv/bin/dask scheduler --protocol tls --port "${address##*:}" $both &
    srun --no-kill --kill-on-bad-exit=0 --cpus-per-task="$SLURM_CPUS_PER_TASK" \
        .venv/bin/dask worker "$address" --nworkers 1 --nthreads "$SLURM_CPUS_PER_TASK" $both $worker &
} >"course-grade-$SLURM_JOB_ID-dask.log" 2>&1
export DASK_SCHEDULER_ADDRESS="$address"
tls=DASK_DISTRIBUTED__COMM__TLS
export ${tls}__CA_FILE=cert.pem ${tls}__CLIENT__CERT=cert.pem ${tls}__CLIENT__KEY=key.pem
.venv/bin/course grade "$@"
