// The architecture rules that are checked mechanically (docs/architecture.md, "Layers"): which layer may import which, where a package
// or a global may be used, no import cycles, and no two folders that import each other. Pure: facts about the sources in,
// sentences out.

/** @typedef {import('./source-facts.mjs').SourceFacts} SourceFacts */

/** The first match applies. An unlisted folder of lib is domain. */
const LAYERS = [
  [/\.test\.tsx?$|^e2e\/|^bench\/|^lib\/testing\/|\.config\.[cm]?[jt]s$/, 'test'],
  [/^prisma\/generated\//, 'generated'],
  [/^lib\/node\/.*\.mjs$/, 'launcher'],
  [/^lib\/(store|channels|embedded-postgres)\//, 'adapter'],
  [/^lib\/messages\//, 'pages'],
  [/^lib\/texts\//, 'texts'],
  // The views of pages, as plain data, and the list of screens: what the pipeline and the pages share.
  [/^lib\/pages\/(view|screens)\.ts$/, 'view'],
  [
    /^lib\/(kernel|http|login|login-http|protocols|oauth|endpoints|runtime|operations|next|node|pages)\//,
    (match) => (match[1] === 'operations' ? 'runtime' : match[1]),
  ],
  [/^lib\//, 'domain'],
  [/^app\//, 'app'],
  [/^components\//, 'components'],
  [/^[\w.-]+$/, 'entry'],
]

const BELOW_ENDPOINTS = [
  'kernel',
  'texts',
  'http',
  'domain',
  'login',
  'login-http',
  'protocols',
  'oauth',
  'view',
  'pages',
]

/** The layers that a layer may import in addition to itself; `type:` permits types only, `lazy:` only `import()`. */
const MAY_IMPORT = {
  kernel: [],
  texts: ['kernel'],
  http: ['kernel'],
  domain: ['kernel'],
  view: ['kernel', 'type:texts', 'type:components', 'lazy:components'],
  pages: ['kernel', 'texts', 'http', 'view', 'components', 'type:domain'],
  login: ['kernel', 'domain', 'view'],
  'login-http': ['kernel', 'http', 'type:login'],
  protocols: ['kernel', 'domain', 'login', 'type:view'],
  oauth: ['kernel', 'http', 'domain', 'login'],
  endpoints: [...BELOW_ENDPOINTS, 'type:runtime'],
  adapter: ['kernel', 'domain', 'generated', 'type:login'],
  runtime: [...BELOW_ENDPOINTS, 'endpoints', 'adapter'],
  next: [...BELOW_ENDPOINTS, 'endpoints', 'runtime'],
  node: [...BELOW_ENDPOINTS, 'endpoints', 'runtime', 'adapter', 'generated', 'next'],
  app: ['next', 'endpoints', 'components', 'texts', 'pages', 'view', 'type:login', 'type:domain'],
  components: ['type:texts', 'type:pages', 'type:view'],
  generated: [],
  launcher: ['kernel'],
  entry: ['node', 'launcher'],
}

/** Packages that only certain paths may import, as patterns. */
const HOMES = [
  [
    /^(next|next-auth|server-only)$/,
    /^app\/|^lib\/next\/|^proxy\.ts$|^lib\/node\/next-process\.ts$/,
    'app/, lib/next and lib/node/next-process.ts',
  ],
  [/^react(-dom)?$/, /^app\/|^components\/|^lib\/(pages|next)\//, 'app/, components/, lib/pages and lib/next'],
  [/^jose$/, /^lib\/keys\//, 'lib/keys'],
  [/^samlify$/, /^lib\/saml\/samlify\.ts$/, 'lib/saml/samlify.ts'],
  [/^openid-client$/, /^lib\/strategies\//, 'lib/strategies'],
  [/^@prisma\/(client|adapter-pg)$|^prisma\/generated\//, /^lib\/store\/prisma\//, 'lib/store/prisma'],
  [/^pg$/, /^lib\/(store|embedded-postgres|runtime|operations|node|next)\//, 'lib/store and the composition above it'],
  [/^libphonenumber-js(\/|$)/, /^lib\/users\/phone-number\.ts$/, 'lib/users/phone-number.ts'],
  [/^@marcbachmann\/cel-js$/, /^lib\/rules\/claims\/expression\.ts$/, 'lib/rules/claims/expression.ts'],
  [/^ioredis$/, /^lib\/store\/redis\//, 'lib/store/redis'],
  [/^@opentelemetry\/|^@vercel\/otel$/, /^lib\/tracing\//, 'lib/tracing'],
  [/^prom-client$/, /^lib\/metrics\//, 'lib/metrics'],
  [/^intl-messageformat$/, /^lib\/texts\//, 'lib/texts'],
  [/^@fastify\/busboy$/, /^lib\/endpoints\/management\/form\.ts$/, 'lib/endpoints/management/form.ts'],
  [/^liquidjs$/, /^lib\/messages\/liquid\.ts$/, 'lib/messages/liquid.ts'],
  [/^nodemailer$/, /^lib\/channels\//, 'lib/channels'],
  [/^@simplewebauthn\/server(\/|$)/, /^lib\/passkeys\/verify\.ts$/, 'lib/passkeys/verify.ts'],
  [
    /^esbuild$/,
    /^lib\/rules\/packages\/bundle-process\.mjs$/,
    'lib/rules/packages/bundle-process.mjs, a process of its own',
  ],
  [/^uqr$/, /^components\//, 'components/'],
  [/^@node-rs\/(argon2|bcrypt)$/, /^lib\/(users|rules\/sandbox\/calls)\//, 'lib/users'],
  [/^(vitest|@playwright\/test)$|^lib\/testing\//, /^$/, 'tests'],
]

/** Globals and calls that only certain paths may use: elsewhere they would make code untestable or a page unsafe. */
const CALLS = [
  [/\bDate\.now\(|\bnew Date\(\s*\)/g, /^lib\/kernel\//, 'the time comes from a Clock (lib/kernel/clock.ts)'],
  [/\bMath\.random\(/g, /^$/, 'randomness comes from a Random (lib/kernel/random.ts)'],
  [
    /\brandom(Bytes|UUID|Int|FillSync)\b|\bgetRandomValues\b/g,
    /^lib\/kernel\/|^lib\/rules\/sandbox\/calls\/|^app\/demo\//,
    'randomness comes from a Random (lib/kernel/random.ts)',
  ],
  [
    /\bprocess\.env\b/g,
    /^server\.ts$|^lib\/node\/cli\.ts$|^lib\/next\/runtime\.ts$|^lib\/rules\/packages\/(npm\.ts|bundle-process\.mjs)$/,
    'settings come from lib/settings/env.ts, which is handed them',
  ],
  [/(?<![.\w])fetch\(/g, /^lib\/channels\/|^lib\/strategies\/|^app\//, 'only adapters call out'],
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
    ...findMutualImports(sources),
  ]
}

export function layerOf(path) {
  for (const [pattern, layer] of LAYERS) {
    const match = pattern.exec(path)
    if (match) return typeof layer === 'string' ? layer : layer(match)
  }
  return undefined
}

function layerViolations({ path, imports }) {
  const from = layerOf(path)
  const allowed = from && MAY_IMPORT[from]
  if (!allowed) return []
  return imports
    .filter(({ target, typeOnly, lazy }) => {
      const to = target.includes('/') && !target.startsWith('@') ? layerOf(target) : undefined
      if (!to || to === 'test') return false
      if (path.startsWith('lib/protocols/') && to === 'oauth') return !/^lib\/oauth\/(scope|pkce)\.ts$/.test(target)
      if (to === from || allowed.includes(to)) return false
      return !(typeOnly && allowed.includes(`type:${to}`)) && !(lazy && allowed.includes(`lazy:${to}`))
    })
    .map(({ target }) => `${path} imports ${target}: ${from} may not import ${layerOf(target)}`)
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

const folderOf = (path) => /^lib\/[^/]+(?=\/)/.exec(path)?.[0]

/**
 * Folders of lib that import each other, including types: the folders have an order, so that each can be read without the later
 * ones.
 */
function findMutualImports(sources) {
  const imports = new Map()
  for (const { path, imports: found } of sources) {
    if (layerOf(path) === 'test') continue
    const from = folderOf(path)
    for (const { target, typeOnly } of found) {
      const to = folderOf(target)
      if (!from || !to || from === to || (from === 'lib/endpoints' && to === 'lib/runtime' && typeOnly)) continue
      imports.set(`${from} ${to}`, `${path} imports ${target}`)
    }
  }
  return [...imports].flatMap(([pair, example]) => {
    const [from, to] = pair.split(' ')
    const back = imports.get(`${to} ${from}`)
    return from < to && back ? [`mutual: ${example}, ${back}`] : []
  })
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
