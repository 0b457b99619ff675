// Writes docs/hosts.md from the results of the trials.
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inRoot } from '../../lib/server/node/launch/root.mjs'

const INTRODUCTION = `# Hosts

The hosts on which the server was tested, with results. \`npm run hosts\` repeats the tests and writes this page;
\`npm run hosts -- --only container,node,browsers,vercel\` runs a part. The tests ran on two cores beside other load, so times are upper
bounds. "Cold start" is the time from the command to the first \`ready\` on a prepared database. "Memory" is the resident memory of all processes after
logins, including the process that renders Next's pages. "Size" includes everything that is deployed.

`

const EXPLANATION = `
- **Container**: the unmodified \`Dockerfile\`, built with \`buildah\` and run with \`podman\` as the account \`node\` on a read-only root with a writable
  \`/tmp\`. If no registry is available, the base image is created with \`debootstrap\` and Node.js from npm. \`openid-client\` signs in, the health check and
  the commands run in the container, and SIGTERM is sent during active requests.
- **Node.js 22 and 24**: the fast part of the suite (\`FAST\` in \`e2e/hosts/run.mjs\`); all other tests run on Node.js 20.
- **Browsers**: login with a wrong and a correct password, sign-up, consent, an authenticator app, a code by mail, form_post and logout, in
  Firefox with WebDriver BiDi, with and without JavaScript, and in WebKitGTK with WebDriver. \`npm test\` uses Chromium.
- **Vercel**: the output of \`vercel build\`, its functions run isolated, read-only and frozen between requests.
`

const REPORT = inRoot('docs', 'hosts.md')

/**
 * Rows of hosts without a result in the folder stay as they are in the page.
 * @param {string} folder with a JSON file for each host
 */
export async function writeReport(folder) {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json'))
  const results = await Promise.all(names.map(async (name) => JSON.parse(await readFile(join(folder, name), 'utf8'))))
  const rows = new Map([...earlierRows(await readFile(REPORT, 'utf8')), ...results.map(rowOf)])
  await writeFile(REPORT, INTRODUCTION + table(rows) + EXPLANATION + failures(results))
}

const HEAD = ['Host', 'Version', 'Date', 'Passed', 'Cold start', 'Memory', 'Size']

const lineOf = (cells) => `| ${cells.join(' | ')} |\n`

function table(rows) {
  const sorted = [...rows].sort(([a], [b]) => a.localeCompare(b, 'en')).map(([, line]) => line)
  return [lineOf(HEAD), lineOf(HEAD.map(() => '---')), ...sorted].join('')
}

/** The host, and its line of the table. */
function rowOf({ host, version, date, passed, failed, coldStartMs, residentMb, sizeMb }) {
  const count = `${passed.length} of ${passed.length + failed.length}`
  const figures = [amount(coldStartMs, 'ms'), amount(residentMb, 'MB'), amount(sizeMb, 'MB')]
  return [host, lineOf([host, version, date, count, ...figures])]
}

function earlierRows(page) {
  const [, , ...lines] = page.split('\n').filter((line) => line.startsWith('|'))
  return lines.map((line) => [line.split(' | ')[0].slice(2), `${line}\n`])
}

const amount = (value, unit) => (value === undefined ? '' : `${Math.round(value)} ${unit}`)

function failures(results) {
  const lines = results.flatMap(({ host, failed }) => failed.map((name) => `- ${host}: ${name}\n`))
  return lines.length === 0 ? '' : `\nFailed:\n\n${lines.join('')}`
}
