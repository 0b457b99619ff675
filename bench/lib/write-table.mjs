// Writes a table between its two markers in a document; the other text is not changed.
import { readFile, writeFile } from 'node:fs/promises'

/** `name`: of the command that creates the table, and of its markers. */
export async function writeTable(path, name, text) {
  const [begin, end] = [`<!-- ${name}:begin (npm run ${name} -- --write) -->`, `<!-- ${name}:end -->`]
  const document = await readFile(path, 'utf8')
  const [before, rest] = document.split(begin)
  const after = rest?.split(end)[1]
  if (after === undefined) throw new Error(`${path} lacks the marks ${begin} and ${end}`)
  await writeFile(path, `${before}${begin}\n${text}\n${end}${after}`)
}
