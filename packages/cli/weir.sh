#!/bin/sh
# The command: out of the snapshot that was made for this very Node, else `weir.cjs` out of the code cache. A snapshot
# is refused by any other Node, and by one with other flags.
self=$0
while [ -L "$self" ]; do
  target=$(readlink "$self")
  case $target in
    /*) self=$target ;;
    *) self=${self%/*}/$target ;;
  esac
done
home=${self%/*}
snapshot=$home/WEIR_BUILD/snapshot
node=$(command -v node)
# Inode, mode, owner, size and time; how many links there are says nothing.
read -r inode mode _ rest <<EOF
$(LC_ALL=C ls -Lin "$node")
EOF
if [ -z "${NODE_OPTIONS-}" ] && [ "$*" != --version ] && [ -r "$snapshot.node" ] && read -r made <"$snapshot.node" &&
  [ "$inode $mode $rest" = "$made" ]; then
  # Large pages, where Linux has them, spare the start thousands of page faults; the program takes the setting back.
  export GLIBC_TUNABLES="glibc.malloc.hugetlb=1${GLIBC_TUNABLES:+:$GLIBC_TUNABLES}"
  exec "$node" WEIR_FLAGS --snapshot-blob "$snapshot.blob" "$home/weir.cjs" "$@"
fi
exec node "$home/weir.cjs" "$@"
