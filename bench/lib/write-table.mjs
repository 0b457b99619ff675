// Puts the table between the two marks in docs/performance.md; the prose around it is written by hand.
import { readFile, writeFile } from 'node:fs/promises'

const BEGIN = '<!-- bench:begin (npm run bench -- --write) -->'
const END = '<!-- bench:end -->'

export async function writeTable(path, text) {
  const document = await readFile(path, 'utf8')
  const [before, rest] = document.split(BEGIN)
  const after = rest?.split(END)[1]
  if (after === undefined) throw new Error(`${path} lacks the marks ${BEGIN} and ${END}`)
  await writeFile(path, `${before}${BEGIN}\n${text}\n${END}${after}`)
}
