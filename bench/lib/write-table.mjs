// Puts a table between its two marks in a document; the prose around it is written by hand.
import { readFile, writeFile } from 'node:fs/promises'

/** `name`: of the command that makes the table, and of its marks. */
export async function writeTable(path, name, text) {
  const [begin, end] = [`<!-- ${name}:begin (npm run ${name} -- --write) -->`, `<!-- ${name}:end -->`]
  const document = await readFile(path, 'utf8')
  const [before, rest] = document.split(begin)
  const after = rest?.split(end)[1]
  if (after === undefined) throw new Error(`${path} lacks the marks ${begin} and ${end}`)
  await writeFile(path, `${before}${begin}\n${text}\n${end}${after}`)
}
