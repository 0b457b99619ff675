// The machine and the time of the measurement, which the figures depend on.
import { cpus, totalmem } from 'node:os'

export function describeMachine(database, disturbance, how) {
  const [cpu] = cpus()
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`
  const date = new Date().toISOString().slice(0, 10)
  return (
    `${date} · ${cpus().length} × ${cpu?.model.trim() ?? 'unknown CPU'}, ${memory} · Node ${process.version} · ` +
    `${database} · ${how} · other processes used ${Math.round(disturbance * 100)} % of the machine meanwhile`
  )
}
