// The SQL between two states of prisma/schema.prisma, written by Prisma's schema engine in WebAssembly:
// no download, no database. A development tool: the package behind it is not installed in production.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'

/** The SQL from `before` (null: an empty database) to `after`, or null when they describe the same database. */
export async function diffSchemas(before: string | null, after: string): Promise<string | null> {
  const { SchemaEngine } = await engineModule()
  const engine = await SchemaEngine.new({ datamodels: [[SCHEMA, after]] }, ignoreLog, fixedAdapter)
  try {
    const params = {
      from: before === null ? ({ tag: 'empty' } as const) : datamodel(before),
      to: datamodel(after),
      script: true,
      exitCode: true,
      filters: { externalTables: [], externalEnums: [] },
      // Demanded at run time, missing from the package's types.
      shadowDatabaseUrl: null,
    }
    const { exitCode, stdout } = await engine.diff(params)
    return exitCode === CHANGED && stdout !== null ? stdout.replace(CREATE_PUBLIC, '') : null
  } finally {
    engine.free()
  }
}

const SCHEMA = 'schema.prisma'
/** The exit code by which the engine says that the two differ. */
const CHANGED = 2

/** Every database has it, and a role that may not create schemas may still migrate. */
const CREATE_PUBLIC = '-- CreateSchema\nCREATE SCHEMA IF NOT EXISTS "public";\n\n'

const datamodel = (content: string) => ({
  tag: 'schemaDatamodel' as const,
  files: [{ path: SCHEMA, content }],
})

const ignoreLog = (): void => {}

/**
 * The engine insists on a database at birth and asks it one thing, which PostgreSQL it is; a diff of two files never
 * comes back to it. It gets the answer of the version we run on.
 */
const VERSION_ANSWER = {
  columnNames: ['exists', 'version', 'numeric_version'],
  columnTypes: [5, 7, 0],
  rows: [[true, 'PostgreSQL 18.4', 180004]],
}

const refuse = () => Promise.reject(new Error('a schema diff needs no database'))

const connection = {
  provider: 'postgres',
  adapterName: 'none',
  queryRaw: () => Promise.resolve({ ok: true, value: VERSION_ANSWER }),
  executeRaw: refuse,
  executeScript: refuse,
  startTransaction: refuse,
  dispose: () => Promise.resolve({ ok: true, value: undefined }),
}

const fixedAdapter = {
  provider: 'postgres',
  adapterName: 'none',
  connect: () => Promise.resolve({ ok: true, value: connection }),
  connectToShadowDb: refuse,
}

let loaded: ReturnType<typeof loadEngine> | undefined

/** Instantiated once: the bindings keep views of one WebAssembly memory. */
function engineModule(): ReturnType<typeof loadEngine> {
  loaded ??= loadEngine()
  return loaded
}

async function loadEngine() {
  const bindings = await import('@prisma/schema-engine-wasm/schema_engine_bg')
  const folder = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg')
  const wasm = new WebAssembly.Module(await readFile(folder.replace(/\.js$/, '.wasm')))
  const instance = new WebAssembly.Instance(wasm, { './schema_engine_bg.js': bindings })
  bindings.__wbg_set_wasm(instance.exports)
  ;(instance.exports.__wbindgen_start as () => void)()
  return bindings
}
