// Stacks of packages name their sources. The maps are those of esbuild, which also bundles packages.
import { build } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { traced } from './source-map.mjs'

async function bundled(minify: boolean) {
  const lines = ['const unused = 1', '', 'export function fails(input) {', '  return input.missing.member', '}']
  const { outputFiles } = await build({
    stdin: { contents: "export * from 'a-package'; export const own = () => nothing.here" },
    ...{ bundle: true, write: false, format: 'esm', sourcemap: 'external', outdir: 'out', sourcesContent: false },
    ...{ minifyWhitespace: minify, minifySyntax: minify },
    plugins: [
      {
        name: 'packages',
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /^a-package$/ }, () => ({
            path: 'node_modules/x/node_modules/a-package/lib/index.js',
            namespace: 'npm',
          }))
          onLoad({ filter: /index\.js$/ }, () => ({ contents: lines.join('\n') }))
        },
      },
    ],
  })
  const [map, code] = outputFiles.map(({ text }) => text)
  return { map: map ?? '', code: code ?? '' }
}

/** The place of a text in code, as the interpreter reports it. */
function placeOf(code: string, text: string): string {
  const before = code.slice(0, code.indexOf(text)).split('\n')
  return `latchkey/packages.js:${before.length}:${(before.at(-1)?.length ?? 0) + 1}`
}

describe('a stack of packages', () => {
  it.each([true, false])('names the sources, minified: %s', async (minify) => {
    const { map, code } = await bundled(minify)
    const stack = `    at fails (${placeOf(code, '.missing')})\n    at <anonymous> (My-action.js:3:4)\n    at own (${placeOf(code, 'nothing.here')})\n`
    expect(traced(stack, map)).toBe(
      '    at fails (a-package/lib/index.js:4:10)\n    at <anonymous> (My-action.js:3:4)\n    at own (_stdin_:1:53)\n',
    )
  })

  it('stays where the map does not cover it', async () => {
    const { map } = await bundled(true)
    const stack = 'at latchkey/packages.js:9999:1 (latchkey/packages.js:0:0) x.js:1:1'
    expect(traced(stack, map)).toBe(stack)
    expect(traced('no place', map)).toBe('no place')
  })

  it.each([
    '',
    'null',
    '{"sources":[],"mappings":"A!AA"}',
    '{"sources":[],"mappings":"gggggggggggggg"}',
    '{"sources":[]}',
  ])('is refused with the map %s', (map) => {
    expect(() => traced('(latchkey/packages.js:1:5)', map)).toThrow()
  })

  it('shows of a source what a file name consists of', () => {
    const map = JSON.stringify({ sources: ['../node_modules/a/\u001b[31m b (c).js'], mappings: 'AAAA' })
    expect(traced('(latchkey/packages.js:1:1)', map)).toBe('(a/__31m_b__c_.js:1:1)')
  })
})
