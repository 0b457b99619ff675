// The architecture rules that are checked mechanically (docs/architecture.md, "Layers"): which group may import which, where a package
// or a global may be used, no cycles of imports, and an order of the folders. Pure: facts about the sources in, sentences out.

/** @typedef {import('./source-facts.mjs').SourceFacts} SourceFacts */

/** The groups of lib, in their order: a group imports those before it. */
export const GROUPS = [
  'kernel',
  'settings',
  'crypto',
  'http',
  'text',
  'data',
  'identity',
  'tokens',
  'pages',
  'login',
  'protocols',
  'management',
  'adapters',
  'server',
]

/** Groups whose folders have an order of their own; the others are one folder each. */
const DIVIDED = ['crypto', 'data', 'identity', 'protocols', 'management', 'adapters', 'server']

/** The first match applies. */
const LAYERS = [
  [/\.test\.tsx?$|^e2e\/|^bench\/|^lib\/testing\/|\.config\.[cm]?[jt]s$/, 'test'],
  [/^prisma\/generated\//, 'generated'],
  [/^lib\/server\/node\/.*\.mjs$/, 'launcher'],
  [/^lib\//, 'lib'],
  [/^app\//, 'app'],
  [/^components\//, 'components'],
  [/^[\w.-]+$/, 'entry'],
]

// The views of pages, as plain data, and the list of screens: what the pipeline and the pages share.
const VIEW = /^lib\/pages\/(view|screens)\.ts$/
const ENDPOINTS = /^lib\/server\/(endpoints|portal|my-account|management-http|requests)\//
const DOMAIN = /^lib\/(data|identity|tokens|management)\//

/**
 * What a path must not import although the order permits it, or may import against the order. `types`: it may import types;
 * `lazy`: it may load it by `import()`. The first rule whose paths match decides. `within`: between parts of one folder too.
 * @type {{ from: RegExp, to: RegExp, may: 'all' | 'types' | 'lazy' | 'nothing', within?: boolean }[]}
 */
const IMPORTS = [
  // The groups at the bottom know the kernel alone.
  { from: /^lib\/(settings|crypto|http|text)\//, to: /^lib\/(settings|crypto|http|text)\//, may: 'nothing' },
  // Settings of the process are read at the edges, which pass them on.
  { from: /^lib\/(?!adapters\/|server\/)/, to: /^lib\/settings\//, may: 'nothing' },
  // Records, behaviour, tokens and operations know neither HTTP nor words nor pages; the reference describes operations.
  { from: /^lib\/management\//, to: /^lib\/http\/openapi\//, may: 'all' },
  { from: DOMAIN, to: /^lib\/(http|text|pages|login|protocols)\//, may: 'nothing' },
  { from: /^lib\/pages\//, to: /^lib\/(data|identity|tokens)\//, may: 'types' },
  { from: VIEW, to: /^lib\/http\//, may: 'nothing' },
  { from: VIEW, to: /^lib\/text\//, may: 'types' },
  // The pipeline and the protocols return data, not HTTP (ADR 35). Grants and the authentication of clients read requests.
  { from: /^lib\/login\//, to: VIEW, may: 'all' },
  { from: /^lib\/login\//, to: /^lib\/(http|text|pages)\//, may: 'nothing' },
  { from: /^lib\/protocols\/oauth\//, to: /^lib\/(text|pages)\//, may: 'nothing' },
  { from: /^lib\/protocols\/(?!oauth\/)/, to: VIEW, may: 'types' },
  { from: /^lib\/protocols\/(?!oauth\/)/, to: /^lib\/(http|text|pages)\//, may: 'nothing' },
  { from: /^lib\/protocols\/(?!oauth\/)/, to: /^lib\/protocols\/oauth\/(scope|pkce)\.ts$/, may: 'all' },
  { from: /^lib\/protocols\/(?!oauth\/)/, to: /^lib\/protocols\/oauth\//, may: 'nothing' },
  // An adapter implements ports: it sees no page, no request and no protocol.
  { from: /^lib\/adapters\//, to: /^lib\/login\//, may: 'types' },
  { from: /^lib\/adapters\//, to: /^lib\/(http|text|pages|protocols)\//, may: 'nothing' },
  // A store of plain SQL needs no Prisma, which loads late (ADR 7).
  { from: /^lib\/adapters\/store\/sql\//, to: /^lib\/adapters\/store\/prisma\//, may: 'nothing', within: true },
  // Requests to visitors: between HTTP and the pipeline's types.
  { from: /^lib\/server\/login-http\//, to: /^lib\/login\//, may: 'types' },
  { from: /^lib\/server\/login-http\//, to: /^lib\/(?!kernel\/|http\/|server\/login-http\/)/, may: 'nothing' },
  // An endpoint, and what endpoints share, name what they need by type; composition passes it.
  { from: ENDPOINTS, to: /^lib\/server\/runtime\//, may: 'types' },
  { from: ENDPOINTS, to: /^lib\/(adapters|server\/(maintenance|next|node))\//, may: 'nothing' },
  {
    from: /^lib\/server\/(login-http|doctor)\//,
    to: /^lib\/server\/(runtime|maintenance|next|node)\//,
    may: 'nothing',
  },
  { from: /^lib\/server\/(runtime|maintenance)\//, to: /^lib\/server\/(next|node)\//, may: 'nothing' },
  { from: /^lib\/server\/next\//, to: /^lib\/server\/node\//, may: 'nothing' },
  { from: /^app\//, to: /^lib\/server\/(next|endpoints)\/|^lib\/(text|pages)\/|^components\//, may: 'all' },
  // A page of the console refers to the operations that it calls.
  { from: /^app\/console\//, to: /^lib\/management\/(resources\/|jobs\/resource\.ts$)/, may: 'all' },
  { from: /^app\//, to: /^lib\/(login|data|identity|tokens|management)\//, may: 'types' },
  { from: /^app\//, to: /^lib\//, may: 'nothing' },
  { from: /^components\//, to: /^lib\/(text|pages)\//, may: 'types' },
  { from: /^components\//, to: /^(lib|app)\//, may: 'nothing' },
  { from: VIEW, to: /^components\//, may: 'lazy' },
  { from: /^lib\/pages\//, to: /^components\//, may: 'all' },
  { from: /^lib\//, to: /^(app|components)\//, may: 'nothing' },
  { from: /^lib\/(?!adapters\/|server\/node\/)/, to: /^prisma\/generated\//, may: 'nothing' },
  { from: /^[\w.-]+$/, to: /^lib\/server\/node\//, may: 'all' },
  { from: /^server\.ts$/, to: /^(lib|app|components)\//, may: 'nothing' },
]

/** Packages that only certain paths may import, as patterns. */
const HOMES = [
  [
    /^(next|next-auth|server-only)$/,
    /^app\/|^lib\/server\/next\/|^proxy\.ts$|^lib\/server\/node\/next-process\.ts$/,
    'app/, lib/server/next and lib/server/node/next-process.ts',
  ],
  [
    /^react(-dom)?$/,
    /^app\/|^components\/|^lib\/(pages|server\/next)\//,
    'app/, components/, lib/pages and lib/server/next',
  ],
  [/^jose$/, /^lib\/crypto\/keys\//, 'lib/crypto/keys'],
  [/^samlify$/, /^lib\/crypto\/saml\/samlify\.ts$/, 'lib/crypto/saml/samlify.ts'],
  [/^openid-client$/, /^lib\/identity\/strategies\//, 'lib/identity/strategies'],
  [
    /^@prisma\/(client|adapter-pg)$|^prisma\/generated\//,
    /^lib\/adapters\/store\/prisma\//,
    'lib/adapters/store/prisma',
  ],
  [
    /^pg$/,
    /^lib\/(adapters\/(store|embedded-postgres)|server\/(runtime|maintenance|node|next))\//,
    'lib/adapters/store and the composition above it',
  ],
  [/^libphonenumber-js(\/|$)/, /^lib\/data\/users\/phone-number\.ts$/, 'lib/data/users/phone-number.ts'],
  [
    /^@marcbachmann\/cel-js$/,
    /^lib\/identity\/tenant-code\/claims\/expression\.ts$/,
    'lib/identity/tenant-code/claims/expression.ts',
  ],
  [/^ioredis$/, /^lib\/adapters\/store\/redis\//, 'lib/adapters/store/redis'],
  [/^@opentelemetry\/|^@vercel\/otel$/, /^lib\/adapters\/tracing\//, 'lib/adapters/tracing'],
  [/^prom-client$/, /^lib\/adapters\/metrics\//, 'lib/adapters/metrics'],
  [/^intl-messageformat$/, /^lib\/text\//, 'lib/text'],
  [/^@fastify\/busboy$/, /^lib\/server\/management-http\/form\.ts$/, 'lib/server/management-http/form.ts'],
  [/^liquidjs$/, /^lib\/pages\/messages\/liquid\.ts$/, 'lib/pages/messages/liquid.ts'],
  [/^nodemailer$/, /^lib\/adapters\/channels\//, 'lib/adapters/channels'],
  [/^@simplewebauthn\/server(\/|$)/, /^lib\/identity\/passkeys\/verify\.ts$/, 'lib/identity/passkeys/verify.ts'],
  [
    /^esbuild$/,
    /^lib\/identity\/tenant-code\/packages\/bundle-process\.mjs$/,
    'lib/identity/tenant-code/packages/bundle-process.mjs, a process of its own',
  ],
  [/^uqr$/, /^components\//, 'components/'],
  [/^@node-rs\/(argon2|bcrypt)$/, /^lib\/(data\/users|identity\/tenant-code\/sandbox\/calls)\//, 'lib/data/users'],
  [/^(vitest|@playwright\/test)$|^lib\/testing\//, /^$/, 'tests'],
]

/** Globals and calls that only certain paths may use: elsewhere they would make code untestable or a page unsafe. */
const CALLS = [
  [/\bDate\.now\(|\bnew Date\(\s*\)/g, /^lib\/kernel\//, 'the time comes from a Clock (lib/kernel/clock.ts)'],
  [/\bMath\.random\(/g, /^$/, 'randomness comes from a Random (lib/kernel/random.ts)'],
  [
    /\brandom(Bytes|UUID|Int|FillSync)\b|\bgetRandomValues\b/g,
    /^lib\/kernel\/|^lib\/identity\/tenant-code\/sandbox\/calls\/|^app\/demo\//,
    'randomness comes from a Random (lib/kernel/random.ts)',
  ],
  [
    /\bprocess\.env\b/g,
    /^server\.ts$|^lib\/server\/node\/cli\.ts$|^lib\/server\/next\/runtime\.ts$|^lib\/identity\/tenant-code\/packages\/(npm\.ts|bundle-process\.mjs)$/,
    'settings come from lib/settings/env.ts, which is handed them',
  ],
  [
    /\bSELECT\b[^`;]*?\bFROM\s+"?[a-z_]+\b(?!\()|\bINSERT INTO\s|\bDELETE FROM\s|\bUPDATE\s+"?[a-z_]+"?\s+SET\b/g,
    /^lib\/adapters\//,
    'statements about tables are in lib/adapters/store',
  ],
  [/\.prisma\(\)/g, /^lib\/adapters\/store\/prisma\//, 'a store of plain SQL needs no Prisma (ADR 7)'],
  [/(?<![.\w])fetch\(/g, /^lib\/adapters\/channels\/|^lib\/identity\/strategies\/|^app\//, 'only adapters call out'],
  [/\bdangerouslySetInnerHTML\b/g, /^$/, 'HTML is never passed as text'],
  [
    /['"]use server['"]/g,
    /^app\/console\//,
    'forms of hosted pages post natively; only the console has server actions',
  ],
]

/** @param {SourceFacts[]} sources @returns {string[]} */
export function findViolations(sources) {
  return [
    ...sources.flatMap((source) => [...layerViolations(source), ...homeViolations(source), ...callViolations(source)]),
    ...findCircles(sources),
    ...findFolderCycles(sources),
    ...findSharedNames(sources),
  ]
}

const EXPORTED_TYPE = /^export (?:type|interface) (\w+)/gm

/** Exported types of one name: each has a name of its own (docs/adr/0065-one-name-for-one-thing.md). */
function findSharedNames(sources) {
  const homes = new Map()
  for (const { path, code } of sources) {
    if (['test', 'generated'].includes(layerOf(path)) || path.endsWith('.d.ts')) continue
    for (const [, name] of code.matchAll(EXPORTED_TYPE)) homes.set(name, [...(homes.get(name) ?? []), path])
  }
  return Array.from(homes)
    .filter(([, paths]) => paths.length > 1)
    .map(([name, paths]) => `type ${name} is exported by ${paths.join(', ')}: give each a name of its own, or share it`)
}

export const layerOf = (path) => LAYERS.find(([pattern]) => pattern.test(path))?.[1]

/** A test imports what it likes; the launcher runs before anything is installed. */
function layerViolations({ path, imports }) {
  const layer = layerOf(path)
  if (layer === undefined || layer === 'test' || layer === 'generated') return []
  return imports
    .filter(
      ({ target }) => target.includes('/') && !target.startsWith('@') && !['test', undefined].includes(layerOf(target)),
    )
    .filter((found) => !mayImport(path, layer, found))
    .map(({ target }) => `${path} may not import ${target}`)
}

function mayImport(path, layer, { target, typeOnly, lazy }) {
  if (layer === 'launcher') return /^lib\/(kernel\/|server\/node\/.*\.mjs$)/.test(target)
  const rule = IMPORTS.find(({ from, to }) => from.test(path) && to.test(target))
  if (rule && (rule.within || folderOf(path) !== folderOf(target)))
    return (
      rule.may === 'all' || (rule.may === 'types' && typeOnly) || (rule.may === 'lazy' && (typeOnly || lazy === true))
    )
  const [from, to] = [path, target].map((each) => GROUPS.indexOf(groupOf(each)))
  return from === -1 || to === -1 || to <= from
}

function homeViolations({ path, imports }) {
  const layer = layerOf(path)
  if (layer === 'test' || layer === 'launcher' || layer === 'generated') return []
  return imports.flatMap(({ target, typeOnly }) =>
    HOMES.filter(([what, home]) => what.test(target) && !typeOnly && !home.test(path)).map(
      ([, , where]) => `${path} imports ${target}, whose place is ${where}`,
    ),
  )
}

function callViolations({ path, code }) {
  const layer = layerOf(path)
  if (layer === 'test' || layer === 'launcher' || layer === 'generated') return []
  return CALLS.flatMap(([pattern, home, why]) =>
    home.test(path)
      ? []
      : Array.from(code.matchAll(pattern), ({ 0: found, index }) => `${path}:${lineOf(code, index)} ${found} — ${why}`),
  )
}

const lineOf = (code, index) => code.slice(0, index).split('\n').length

const groupOf = (path) => /^lib\/([^/]+)\//.exec(path)?.[1]

/** The folder that has a place in the order: a group, or a folder of a divided group. */
function folderOf(path) {
  const [, group, folder] = /^lib\/([^/]+)\/(?:([^/]+)\/)?/.exec(path) ?? []
  if (!group) return undefined
  return folder && DIVIDED.includes(group) ? `lib/${group}/${folder}` : `lib/${group}`
}

/**
 * Folders of lib that import each other, over others or directly, including types: the folders have an order, so that each can be
 * read without the later ones. Reported is each strongly connected component, with an import for each of its edges.
 */
function findFolderCycles(sources) {
  const edges = new Map()
  for (const { path, imports } of sources) {
    if (layerOf(path) === 'test') continue
    const from = folderOf(path)
    for (const { target, typeOnly } of imports) {
      const to = folderOf(target)
      if (!from || !to || from === to) continue
      // Endpoints name the type of the composition that passes them what they need.
      if (ENDPOINTS.test(`${from}/`) && to === 'lib/server/runtime' && typeOnly) continue
      if (!edges.has(from)) edges.set(from, new Map())
      edges.get(from).set(to, `${path} imports ${target}`)
    }
  }
  return stronglyConnected(edges)
    .filter((component) => component.length > 1)
    .map((component) => {
      const inside = component.flatMap((from) => component.flatMap((to) => edges.get(from)?.get(to) ?? []))
      return `folders without an order: ${component.toSorted().join(', ')} (${inside.toSorted().join('; ')})`
    })
}

/** Tarjan's algorithm. @param {Map<string, Map<string, unknown>>} edges @returns {string[][]} */
function stronglyConnected(edges) {
  const index = new Map()
  const lowest = new Map()
  const stack = []
  const components = []
  const visit = (node) => {
    index.set(node, index.size)
    lowest.set(node, index.get(node))
    stack.push(node)
    for (const next of edges.get(node)?.keys() ?? []) {
      if (!index.has(next)) visit(next)
      if (stack.includes(next)) lowest.set(node, Math.min(lowest.get(node), lowest.get(next)))
    }
    if (lowest.get(node) === index.get(node)) components.push(stack.splice(stack.indexOf(node)))
  }
  for (const node of edges.keys()) if (!index.has(node)) visit(node)
  return components
}

/** Cycles of run-time imports, each reported once. */
function findCircles(sources) {
  const edges = new Map(
    sources.map(({ path, imports }) => [path, imports.filter((found) => !found.typeOnly).map((found) => found.target)]),
  )
  const done = new Set()
  const circles = []
  const visit = (path, trail) => {
    if (trail.includes(path)) circles.push(`circle: ${[...trail.slice(trail.indexOf(path)), path].join(' → ')}`)
    if (trail.includes(path) || done.has(path)) return
    for (const next of edges.get(path) ?? []) if (edges.has(next)) visit(next, [...trail, path])
    done.add(path)
  }
  for (const path of edges.keys()) visit(path, [])
  return circles
}
