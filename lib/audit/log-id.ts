// Ids of records, as the vendor's look: `900`, the moment, and digits. Those of one process grow; no two are alike.
import type { Random } from '../kernel/random'

export function createLogIds(random: Random): (at: Date) => string {
  const process = random.digits(15)
  let count = 0
  let moment = Number.NaN
  let digits = ''
  return (at) => {
    count += 1
    if (at.getTime() !== moment) {
      moment = at.getTime()
      digits = at.toISOString().replace(/\D/g, '')
    }
    return `900${digits}${String(count).padStart(12, '0')}${process}`
  }
}
