// Record ids in the vendor's form: `900`, the time, digits. They increase within a process and are unique.
import type { Random } from '../../kernel/random'

export function createLogIds(random: Random): (at: Date) => string {
  const process = random.digits(15)
  let count = 0
  let second = Number.NaN
  let digits = ''
  return (at) => {
    count += 1
    const time = at.getTime()
    if (Math.floor(time / 1000) !== second) {
      second = Math.floor(time / 1000)
      digits = at.toISOString().slice(0, 19).replace(/\D/g, '')
    }
    return `900${digits}${padded(time % 1000, 3)}${padded(count, 12)}${process}`
  }
}

const padded = (value: number, digits: number): string => String(value).padStart(digits, '0')
