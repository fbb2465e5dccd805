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
# Two jobs may share a node, and not a port.
address=tls://$(hostname):$((20000 + SLURM_JOB_ID % 10000))
dask="--dashboard-address 127.0.0.1:0 --tls-ca-file cert.pem --tls-cert cert.pem --tls-key key.pem"
export DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL=1min  # of a node that does not answer
trap 'kill $(jobs -p); wait' EXIT
{
    .venv/bin/dask scheduler --protocol tls --port "${address##*:}" $dask &
    srun --no-kill --kill-on-bad-exit=0 --cpus-per-task="$SLURM_CPUS_PER_TASK" \
        .venv/bin/dask worker "$address" --nworkers 1 --nthreads "$SLURM_CPUS_PER_TASK" $dask &
} >"course-grade-$SLURM_JOB_ID-dask.log" 2>&1
.venv/bin/course grade "$@" --scheduler "$address" \
    --tls-ca cert.pem --tls-cert cert.pem --tls-key key.pem
