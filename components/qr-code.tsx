import { encode } from 'uqr'

/** Quiet zone around the code, in modules, as scanners expect. */
const BORDER = 4

/**
 * Rendered here, so that the content reaches no other server. It is always dark on light, because many scanners read nothing
 * else.
 */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, data } = encode(text, { ecc: 'M', border: BORDER })
  return (
    <svg className="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path className="qr-paper" d={`M0 0h${size}v${size}H0z`} />
      <path className="qr-ink" d={pathOf(data)} />
    </svg>
  )
}

/** One stroke for each run of dark modules in a row. */
const pathOf = (rows: readonly (readonly boolean[])[]): string =>
  rows
    .map((row, y) =>
      runsOf(row)
        .map(([x, length]) => `M${x} ${y}h${length}v1h-${length}z`)
        .join(''),
    )
    .join('')

function runsOf(row: readonly boolean[]): [start: number, length: number][] {
  const runs: [number, number][] = []
  row.forEach((dark, x) => {
    const last = runs.at(-1)
    if (dark && last && last[0] + last[1] === x) last[1] += 1
    else if (dark) runs.push([x, 1])
  })
  return runs
}
