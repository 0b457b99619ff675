// Writes docs/hosts.md from the results of the trials.
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inRoot } from '../../lib/node/launch/root.mjs'

const INTRODUCTION = `# Hosts

Where the server was tried, and what came of it. Written by \`npm run hosts\`, which repeats the trials:
\`npm run hosts -- --only container,node,browsers,vercel\` runs these alone. Two cores ran them beside other work, so times
are upper bounds. "Cold start" is from the command to the first \`ready\`, on a prepared database; "memory" is resident, of all processes,
the one that renders Next's pages included, after logins; "size" is everything that is shipped.

`

const EXPLANATION = `
- **Container**: the \`Dockerfile\` as it is, built by \`buildah\`; run by \`podman\` as the account \`node\` on a read-only root with a \`/tmp\` of its
  own. Where no registry can be reached, its base is made by \`debootstrap\` and Node.js from npm. \`openid-client\` signs in, the health check
  and the commands are run inside, and SIGTERM comes while requests are under way.
- **Node.js 22 and 24**: the fast part of the suite (\`FAST\` in \`e2e/hosts/run.mjs\`); everything else is run on Node.js 20.
- **Browsers**: login with a wrong and a right password, sign-up, consent, an authenticator app, a code by mail, form_post and logout, in
  Firefox by WebDriver BiDi, with JavaScript and without, and in WebKitGTK by WebDriver. Chromium is driven by \`npm test\`.
- **Vercel**: the output of \`vercel build\`, its functions run isolated, read-only and frozen between requests.
`

/** @param {string} folder with a JSON file for each host */
export async function writeReport(folder) {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json')).sort()
  const results = await Promise.all(names.map(async (name) => JSON.parse(await readFile(join(folder, name), 'utf8'))))
  const text = INTRODUCTION + table(results) + EXPLANATION + failures(results)
  await writeFile(inRoot('docs', 'hosts.md'), text)
}

const HEAD = ['Host', 'Version', 'Date', 'Passed', 'Cold start', 'Memory', 'Size']

function table(results) {
  const rows = results.map(({ host, version, date, passed, failed, coldStartMs, residentMb, sizeMb }) => [
    host,
    version,
    date,
    `${passed.length} of ${passed.length + failed.length}`,
    amount(coldStartMs, 'ms'),
    amount(residentMb, 'MB'),
    amount(sizeMb, 'MB'),
  ])
  const lines = [HEAD, HEAD.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`)
  return lines.join('')
}

const amount = (value, unit) => (value === undefined ? '' : `${Math.round(value)} ${unit}`)

function failures(results) {
  const lines = results.flatMap(({ host, failed }) => failed.map((name) => `- ${host}: ${name}\n`))
  return lines.length === 0 ? '' : `\nFailed:\n\n${lines.join('')}`
}
