// Packages that are installed here, as an action gets them: published in a registry of the test's own, bundled, and required in the sandbox.
import { type BuiltBundle, createBundler } from '../identity/tenant-code/packages/bundle'
import { createSandbox } from '../identity/tenant-code/sandbox/sandbox'
import { sandboxFiles } from '../server/runtime/actions'
import { testServices, withoutTimeLimit } from './actions'
import { openRegistry, publishInstalled } from './registry'

export type TestPackages = {
  bundle: BuiltBundle
  /** What an action with this body prints, or how it failed. */
  printed(body: string): Promise<unknown[]>
  close(): Promise<void>
}

/** @param entries what the action requires beside the packages themselves */
export async function openPackages(names: readonly string[], entries: readonly string[] = []): Promise<TestPackages> {
  const registry = await openRegistry()
  const published = new Set<string>()
  for (const name of names) await publishInstalled(registry, name, process.cwd(), published)
  const dependencies = names.map((name) => ({ name }))
  const built = await createBundler({ root: process.cwd() }).build(dependencies, [...names, ...entries])
  if ('failure' in built) throw new Error(built.failure)
  const { bundle } = built
  const options = { services: testServices(), threads: 1, queueLimit: 10, preparing: 600_000 }
  const sandbox = createSandbox({ ...sandboxFiles(process.cwd()), ...options })
  return {
    bundle,
    async printed(body) {
      const { outcome, error, lines } = await withoutTimeLimit(sandbox).run('main', {
        ...{ code: `exports.run = async () => { ${body} }`, file: 'tested.js', handler: 'run', optional: false },
        ...{ bundle: { digest: bundle.digest, code: async () => bundle.code } },
        ...{ methods: [], event: '{}', cache: 'none', now: 0, seed: [1, 2, 3, 4], elapsed: 1, milliseconds: 1 },
      })
      return outcome === 'ok' ? lines.map(([, text]) => text) : [outcome, error?.message]
    },
    async close() {
      sandbox.close()
      await registry.close()
    },
  }
}
