// Bundles the threads that read XML (lib/crypto/saml/xml-thread.ts) as dist/xml-thread.mjs: one file, which every host starts from the
// same place. The build, the development server, `next build` and the tests write it.
import { mkdir, rename } from 'node:fs/promises'
import { inRoot, root } from './launch/root.mjs'

export async function writeXmlThread() {
  const { build } = await import('esbuild')
  const file = inRoot('dist', 'xml-thread.mjs')
  const draft = inRoot('dist', `xml-thread.${process.pid}.mjs`)
  await mkdir(inRoot('dist'), { recursive: true })
  await build({
    absWorkingDir: root,
    entryPoints: ['lib/crypto/saml/xml-thread.ts'],
    outfile: draft,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    minifyWhitespace: true,
    minifySyntax: true,
    // xml-crypto loads Node's modules with `require`, which does not exist in an ES module.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    logLevel: 'warning',
  })
  await rename(draft, file)
}
