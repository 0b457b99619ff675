// Data folders that the documents suggest hold secrets and people's data: git must leave them out.
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))

const documents = async (): Promise<string[]> => {
  const docs = (await readdir(`${root}docs`, { recursive: true })).filter((name) => name.endsWith('.md'))
  return ['README.md', 'CONTRIBUTING.md', '.env.example', ...docs.map((name) => `docs/${name}`)]
}

const patternOf = (line: string): RegExp =>
  new RegExp(`^${line.replace(/\/$/, '').replaceAll('.', '\\.').replaceAll('*', '.*')}$`)

it('each is left out by .gitignore', async () => {
  const ignored = (await readFile(`${root}.gitignore`, 'utf8')).split('\n').filter(Boolean).map(patternOf)
  const isIgnored = (folder: string): boolean => ignored.some((pattern) => pattern.test(folder))
  const suggested = new Set<string>()
  for (const path of await documents()) {
    const text = await readFile(root + path, 'utf8')
    for (const [, folder = ''] of text.matchAll(/LATCHKEY_DATA_DIR=["']?([^\s"'`,;)]+)/g)) suggested.add(folder)
    for (const [folder] of text.matchAll(/(?<![\w/~.-])\.data[\w-]*/g)) suggested.add(folder)
  }
  const relative = [...suggested]
    .map((folder) => folder.replace(/^\.\//, '').replace(/\/$/, ''))
    .filter((name) => /^[\w.]/.test(name))
  expect(relative).toContain('.data-mine')
  expect(relative.filter((folder) => !isIgnored(folder.split('/')[0] ?? ''))).toEqual([])
  expect(isIgnored('docs')).toBe(false)
})
