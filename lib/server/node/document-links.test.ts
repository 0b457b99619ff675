import { describe, expect, it } from 'vitest'
import { findDocumentFaults, INDEX } from './launch/document-links.mjs'

/** The faults of a checkout with only these files, in which the index lists every document of docs/. */
function faults(files: Record<string, string>): string[] {
  const listed = Object.keys(files).filter((path) => /^docs\/[^/]+\.md$/.test(path))
  const index = listed.map((path) => `- [a](${path.slice('docs/'.length)})`).join('\n')
  const all = { [INDEX]: index, ...files }
  return findDocumentFaults(
    Object.entries(all).map(([path, text]) => ({ path, text })),
    (path) => path in all || Object.keys(all).some((each) => each.startsWith(path)),
  )
}

const runbook = '# Runbook\n\n## `LATCHKEY_SECRET`\n\n## Mail, and more\n\n## Mail, and more\n\n<a id="by-hand"></a>\n'

describe('a link of a document', () => {
  it.each([
    '[a](docs/runbook.md)',
    '[a](docs/runbook.md#latchkey_secret)',
    '[a](docs/runbook.md#mail-and-more)',
    '[a](docs/runbook.md#mail-and-more-1)',
    '[a](docs/runbook.md#by-hand)',
    '[a](#here)\n\n# Here',
    '[a](https://example.test/docs/none.md#x)',
    '`[a](docs/none.md)`',
    '```md\n[a](docs/none.md)\n# Nowhere\n```',
    '<img src="docs/runbook.md">',
  ])('may be %j', (text) => {
    expect(faults({ 'README.md': text, 'docs/runbook.md': runbook })).toEqual([])
  })

  it.each([
    ['[a](docs/none.md)', 'README.md:1 links to docs/none.md, which does not exist'],
    ['\n[a](docs/runbook.md#none)', 'README.md:2 links to docs/runbook.md#none, which has no such anchor'],
    ['[a](docs/runbook.md#mail-and-more-2)', 'no such anchor'],
    ['[a](#here)\n\n```sh\n# Here\n```', 'no such anchor'],
    ['<source srcset="docs/none.png">', 'does not exist'],
  ])('is reported: %j', (text, fault) => {
    expect(faults({ 'README.md': text, 'docs/runbook.md': runbook })).toEqual([expect.stringContaining(fault)])
  })
})

describe('a path that a document names', () => {
  const files = { 'lib/a.ts': '', 'docs/quickstarts/README.md': '' }

  it.each(['`lib/a.ts`', '`lib/`', '`lib/b.ts:1`', 'lib/b.ts', '```sh\nnode `lib/b.ts`\n```'])('may be %j', (text) => {
    expect(faults({ ...files, 'docs/a.md': text }).filter((fault) => fault.includes('lib/'))).toEqual([])
  })

  it('is reported if it does not exist', () => {
    expect(faults({ ...files, 'docs/a.md': '\n| a | `lib/b.ts` |' })).toContain(
      'docs/a.md:2 names lib/b.ts, which does not exist',
    )
  })

  it('may be of the reader’s application in a quickstart', () => {
    const found = faults({ ...files, 'docs/quickstarts/a.md': '`app/page.js`' })
    expect(found.filter((fault) => fault.includes('page.js'))).toEqual([])
  })
})

describe('a document that a source names', () => {
  it.each([
    '// (docs/runbook.md)',
    '// (docs/runbook.md, "Mail, and more")',
    '// (docs/runbook.md "LATCHKEY_SECRET")',
    '// (docs/runbook.md,\n// "LATCHKEY_SECRET")',
    '// docs/runbook.md#by-hand',
    'say(`README, "Start"`)',
  ])('exists, with its heading: %j', (text) => {
    expect(faults({ 'README.md': '# Start', 'lib/a.ts': text, 'docs/runbook.md': runbook })).toEqual([])
  })

  it.each([
    ['\n// docs/none.md', 'lib/a.ts:2 names docs/none.md, which does not exist'],
    ['// docs/runbook.md, "Post"', 'lib/a.ts:1 names docs/runbook.md, "Post", which has no such heading'],
    ['// docs/runbook.md#post', 'no such anchor'],
    ['say(`README, "Point your app at it"`)', 'no such heading'],
  ])('is missed: %j', (text, fault) => {
    expect(faults({ 'README.md': '# Start', 'lib/a.ts': text, 'docs/runbook.md': runbook })).toEqual([
      expect.stringContaining(fault),
    ])
  })
})

it('is missed where README.md does not link a chapter of its own', () => {
  const text = '[a](#the-start)\n\n## The start\n\n## The end\n\n### A part\n'
  expect(faults({ 'README.md': text })).toEqual(['README.md has no link to its chapter "The end"'])
})

describe('the index of docs/', () => {
  it('lists every document', () => {
    expect(faults({ [INDEX]: '', 'docs/a.md': '' })).toEqual([`docs/a.md is not in ${INDEX}`])
  })

  it('lists a folder, by its name or by its README.md that lists the documents in it', () => {
    const files = { 'docs/adr/1.md': '', 'docs/tools/README.md': '[a](a.md)', 'docs/tools/a.md': '' }
    const index = '[a](adr/) [b](tools/README.md)'
    expect(faults({ [INDEX]: index, ...files })).toEqual([])
    expect(faults({ [INDEX]: index, ...files, 'docs/tools/b.md': '' })).toEqual([
      'docs/tools/b.md is not in docs/tools/README.md',
    ])
    expect(faults({ [INDEX]: '[b](tools/README.md)', ...files })).toEqual([`docs/adr/1.md is not in ${INDEX}`])
    expect(faults({ [INDEX]: '[a](adr/)', ...files })).toHaveLength(2)
  })
})
