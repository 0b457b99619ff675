// The table of the report: a row per fault, then the results of the final verification.

const count = (value) => value.toLocaleString('en')
const percent = (share) => `${(Math.floor(share * 100_000) / 1000).toFixed(share === 1 ? 0 : 2)} %`
const seconds = (ms) => `${(ms / 1000).toFixed(2)} s`

const HEAD = ['fault', 'requests', 'not served', 'availability', 'longest gap', 'slowest answer', 'served again after']

const cells = ({ title, requests, unserved, availability, longestGap, slowest, recovery }) => [
  title,
  count(requests),
  count(unserved),
  percent(availability),
  seconds(longestGap),
  seconds(slowest),
  recovery === undefined ? '' : seconds(recovery),
]

function table(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)))
  const line = (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`
  const [head, ...body] = rows
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n')
}

const reckoned = (counts) =>
  `Afterwards: ${count(counts.people)} sign-ups signed in, ${count(counts.revocations)} revocations and ` +
  `${count(counts.logouts)} logouts stood, ${count(counts.sessions)} sessions and ${count(counts.families)} refresh families ` +
  `went on, ${count(counts.codes)} used codes and ${count(counts.tokens)} used refresh tokens were refused.`

const verdict = (broken) =>
  broken.length === 0
    ? '**No promise was broken.**'
    : [`**${broken.length} promises were broken:**`, '', ...broken.map((sentence) => `- ${sentence}`)].join('\n')

export const report = ({ machine, rows, counts, broken }) =>
  [machine, table([HEAD, ...rows.map(cells)]), reckoned(counts), verdict(broken)].join('\n\n')
