// Measured values of a trial for docs/hosts.md, written beside the test results; run.mjs combines them.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const FOLDER = fileURLToPath(new URL('../../test-results/hosts/figures/', import.meta.url))

export type Figures = { host: string; version: string; coldStartMs?: number; residentMb?: number; sizeMb?: number }

export function recordFigures(part: string, figures: Figures): void {
  mkdirSync(FOLDER, { recursive: true })
  writeFileSync(`${FOLDER}${part}.json`, JSON.stringify(figures))
}

/** Resident memory of a process and its descendants. */
export function residentMb(pid: number): number {
  const kilobytes = [pid, ...descendants(pid)].map(
    (id) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1]) || 0,
  )
  return Math.round(kilobytes.reduce((sum, each) => sum + each, 0) / 1024)
}

function descendants(pid: number): number[] {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number),
  )
  return children.flatMap((child) => [child, ...descendants(child)])
}
