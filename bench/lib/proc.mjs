// CPU time and memory of a process tree, as the kernel counts them (Linux /proc). Live threads are read from schedstat in
// nanoseconds; children that have exited are included in their parent's cutime/cstime (clock ticks). The sum never decreases,
// so a difference is the time used in between.
import { readdirSync, readFileSync } from 'node:fs'

const MICROSECONDS_PER_TICK = 10_000 // USER_HZ is 100 on every Linux that Node supports

const read = (path) => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined // the process or thread exited after it was listed
  }
}

/** The fields of /proc/<pid>/stat after the command name, which may contain spaces and brackets. */
const statFields = (pid) => {
  const stat = read(`/proc/${pid}/stat`)
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')
}

export const parentOf = (pid) => Number(statFields(pid)?.[1])

/** The processes and all their descendants, each once. */
export function processTree(...roots) {
  const children = new Map()
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    const parent = parentOf(entry)
    if (!Number.isNaN(parent)) children.set(parent, [...(children.get(parent) ?? []), Number(entry)])
  }
  const tree = new Set(roots)
  for (const pid of tree) for (const child of children.get(pid) ?? []) tree.add(child)
  return [...tree]
}

function threadMicroseconds(pid) {
  let nanoseconds = 0
  for (const thread of readThreads(pid)) {
    nanoseconds += Number(read(`/proc/${pid}/task/${thread}/schedstat`)?.split(' ')[0] ?? 0)
  }
  return nanoseconds / 1000
}

function readThreads(pid) {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
}

function processMicroseconds(pid) {
  const fields = statFields(pid)
  if (!fields) return 0
  const reaped = (Number(fields[13]) + Number(fields[14])) * MICROSECONDS_PER_TICK
  return threadMicroseconds(pid) + reaped
}

/** CPU microseconds that the processes and their descendants have used since their start. */
export const treeMicroseconds = (...roots) =>
  processTree(...roots).reduce((sum, pid) => sum + processMicroseconds(pid), 0)

/** CPU microseconds that the whole machine has used since its start, including the hypervisor's share. */
export function machineMicroseconds() {
  const [user, nice, system, , , irq, softirq, steal] = read('/proc/stat').split('\n', 1)[0].split(/\s+/).slice(1)
  const ticks = [user, nice, system, irq, softirq, steal].reduce((sum, value) => sum + Number(value), 0)
  return ticks * MICROSECONDS_PER_TICK
}

/** Resident memory of the process and its descendants, in MB. */
export function treeResidentMegabytes(root) {
  const kilobytes = processTree(root).map((pid) => Number(/VmRSS:\s+(\d+)/.exec(read(`/proc/${pid}/status`))?.[1] ?? 0))
  return kilobytes.reduce((sum, value) => sum + value, 0) / 1024
}
