/**
 * Makes the processes that run tests keep freed memory, in large pages. They use the same megabytes again with each file, and Linux has to
 * clear a page that it gives again. Only glibc reads this.
 */
export default function setup(): () => void {
  const before = process.env.GLIBC_TUNABLES;
  process.env.GLIBC_TUNABLES = [
    'glibc.malloc.hugetlb=1',
    'glibc.malloc.trim_threshold=268435456',
    'glibc.malloc.mmap_threshold=33554432',
    'glibc.malloc.top_pad=4194304',
  ].join(':');
  return () => {
    if (before === undefined) delete process.env.GLIBC_TUNABLES;
    else process.env.GLIBC_TUNABLES = before;
  };
}
