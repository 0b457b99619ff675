// `npm run check`: format and lint, types, import rules, documents, dead code, side by side. Every check runs, and a summary names the failed
// ones.
import './launch/node-version.mjs'
import { ensureGenerated } from './generate.mjs'
import { ensureDependencies } from './launch/dependencies.mjs'
import { inRoot, root } from './launch/root.mjs'
import { capture } from './launch/run.mjs'
import { launch } from './launch/step.mjs'

const checks = [
  { name: 'format and lint', program: 'node_modules/@biomejs/biome/bin/biome', args: ['ci', '--colors=off'] },
  { name: 'types', program: 'node_modules/typescript/bin/tsc', args: ['--noEmit'] },
  { name: 'import rules', program: 'lib/server/node/import-rules.mjs', args: [] },
  { name: 'documents', program: 'lib/server/node/document-links.mjs', args: [] },
  { name: 'dead code', program: 'node_modules/knip/bin/knip.js', args: ['--no-progress'] },
]

await launch(async () => {
  process.chdir(root)
  await ensureDependencies({ development: true })
  await ensureGenerated()
  const failed = []
  const results = checks.map(({ program, args }) => capture(process.execPath, [inRoot(program), ...args]))
  for (const [index, { name }] of checks.entries()) {
    const { code, output } = await results[index]
    console.log(`${code === 0 ? 'ok  ' : 'FAIL'}  ${name}`)
    if (code !== 0) {
      failed.push(name)
      console.log(output)
    }
  }
  console.log(failed.length === 0 ? 'All checks passed.' : `Failed: ${failed.join(', ')}.`)
  if (failed.length > 0) process.exitCode = 1
})
