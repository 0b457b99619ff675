// The table of the report.

const MEGABYTE = 2 ** 20
const NAMES = { heap: 'heap after collection', rss: 'resident memory' }
const count = (value) => Math.round(value).toLocaleString('en')
const megabytes = (bytes) => `${(bytes / MEGABYTE).toFixed(1)} MB`
const signed = (bytes) => `${bytes < 0 ? '−' : '+'}${(Math.abs(bytes) / MEGABYTE).toFixed(1)}`

const HEAD = ['', 'begin', 'end', 'per hour', 'a leak above']

export function report({ machine, minutes, perSecond, full, counts, rows, begin, end, broken }) {
  const memory = rows.map(({ name, first, last, slope, error, allowed }) => [
    NAMES[name],
    megabytes(first),
    megabytes(last),
    `${signed(slope)} ± ${(error / MEGABYTE).toFixed(1)} MB`,
    `${signed(allowed)} MB`,
  ])
  const held = [
    ['file descriptors', count(begin.descriptors), count(end.descriptors), '', ''],
    ['database connections', count(begin.connections), count(end.connections), '', ''],
  ]
  const table = [HEAD, HEAD.map(() => '---'), ...memory, ...held].map((row) => `| ${row.join(' | ')} |`).join('\n')
  const load =
    `${minutes} minutes at ${count(perSecond)} operations a second, half of the ${count(full)} measured at the start: ` +
    `${count(counts.done)} done, ${count(counts.failed.length)} failed.`
  const verdict = broken.length === 0 ? '**Nothing leaks.**' : broken.map((sentence) => `- **${sentence}**`).join('\n')
  return [machine, load, table, verdict].join('\n\n')
}
