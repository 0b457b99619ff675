# In a mount namespace of its own: the function at /var/task, everything read-only but /tmp, and the checkout out of sight.
#   isolate.sh FUNCTION CHECKOUT COMMAND…
set -e
function=$1 checkout=$2
shift 2
mkdir -p /var/task
mount --make-rprivate /
mount --bind "$function" /var/task
mount -o remount,bind,ro /var/task
mount -t tmpfs none "$checkout"
mount -o remount,ro "$checkout"
mount -t tmpfs none /tmp
mount -o remount,bind,ro /
cd /var/task
exec "$@"
