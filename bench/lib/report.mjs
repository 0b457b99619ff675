// The results as a Markdown table, which is also printed.

const micro = (value) => Math.round(value).toLocaleString('en')
const milli = (value) => (value < 10 ? value.toFixed(1) : Math.round(value).toString())
const ratioText = (row) => (row.ratio === undefined ? '' : row.ratio.toFixed(2))
const spreadText = (row) => (row.spread ? ` (${row.spread.map((value) => value.toFixed(2)).join('–')})` : '')

function targetText({ ratio, target }) {
  if (ratio === undefined || target === undefined) return ''
  return `≤ ${target.toFixed(2)} ${ratio <= target ? 'met' : '**not met**'}`
}

const HEAD = [
  '',
  'side',
  'op/s',
  'p50 ms',
  'p99 ms',
  'server µs/op',
  'database µs/op',
  'sum µs/op',
  'ratio (rounds)',
  'target',
]

function flowRows(row) {
  return row.sides.map((side, index) => [
    index === 0 ? row.name : '',
    side.name,
    micro(side.perSecond),
    milli(side.p50),
    milli(side.p99),
    micro(side.server),
    micro(side.database),
    micro(side.total),
    index === 0 ? ratioText(row) + spreadText(row) : '',
    index === 0 ? targetText(row) : '',
  ])
}

const OTHER_HEAD = ['', 'Latchkey', 'peer', 'ratio', 'target']

function otherRow(name, row, read, unit) {
  const of = (side) => row.sides.find(({ name: known }) => known === side)
  const cell = (side) => (of(side) ? `${Math.round(read(of(side)))} ${unit}` : '')
  return [name, cell('Latchkey'), cell('peer'), ratioText(row), targetText(row)]
}

const WAITING_HEAD = ['', 'ms', 'target']

function waitingRows({ logins, milliseconds, target, alone, beside }) {
  const both = ({ p50, p99 }) => `${milli(p50)}; ${milli(p99)}`
  return [
    [
      `${logins} logins at once whose action waits one second, until the last has its code`,
      micro(milliseconds),
      `≤ ${micro(target)} ${milliseconds <= target ? 'met' : '**not met**'}`,
    ],
    ['a login beside them whose action does not wait: p50; p99', both(beside), ''],
    ['the same login without them: p50; p99', both(alone), ''],
  ]
}

function table(head, rows) {
  const widths = head.map((_, column) => Math.max(3, ...[head, ...rows].map((row) => row[column].length)))
  const line = (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`
  return [line(head), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...rows.map(line)].join('\n')
}

/** Progress: the sum of every round, so that drift and disturbances are visible. */
export const progressLine = (row) =>
  `  ${row.name}: ${row.sides.map(({ name, totals }) => `${name} ${totals.map(micro).join(' ')}`).join(' | ')} µs/op`

/** The complete result: time and machine, the flows, and the values that are not per operation. */
export function report({ machine, rows, coldStart, memory, hash, waiting }) {
  const others = [
    ...(coldStart
      ? [otherRow('cold start to first discovery answer', coldStart, (side) => side.milliseconds, 'ms')]
      : []),
    otherRow('resident memory after the run', memory, (side) => side.megabytes, 'MB'),
  ]
  return [
    machine,
    table(HEAD, rows.flatMap(flowRows)),
    table(OTHER_HEAD, others),
    ...(waiting ? [table(WAITING_HEAD, waitingRows(waiting))] : []),
    `One argon2id verification by itself, on the same machine in the same run: ${micro(hash)} µs of CPU.`,
  ].join('\n\n')
}
