// Next renders the pages that lib/server/node/server.ts does not answer itself, and serves everything on platforms that run `next
// build` only.
import { fileURLToPath } from 'node:url'
import { impossibleSettings } from './lib/settings/platform.mjs'

const STRICT_HEADERS = [
  { key: 'content-security-policy', value: "default-src 'none'; frame-ancestors 'none'; base-uri 'none'" },
  { key: 'referrer-policy', value: 'no-referrer' },
  { key: 'x-content-type-options', value: 'nosniff' },
  { key: 'x-frame-options', value: 'DENY' },
]

/** @type {import('next').NextConfig} */
const config = {
  poweredByHeader: false,
  // Endpoint paths are used as requested: a 308 redirect would lose a POST body with some clients.
  skipTrailingSlashRedirect: true,
  // Packages with native code, packages that locate their own files, and packages that only lengthen the build.
  serverExternalPackages: [
    '@node-rs/argon2',
    '@node-rs/bcrypt',
    '@peculiar/x509',
    '@xmldom/xmldom',
    '@zxcvbn-ts/language-common',
    'intl-messageformat',
    'ipaddr.js',
    'jose',
    'maxmind',
    'next-auth',
    'nodemailer',
    'pg',
    'pino',
    'reflect-metadata',
    'samlify',
    'xml-crypto',
    'yaml',
    'zod',
  ],
  outputFileTracingIncludes: {
    '/*': [
      './prisma/migrations/**/*',
      './prisma/*.yaml',
      './data/*',
      './public/**/*',
      // The worker thread that runs actions, and its interpreter.
      './lib/identity/tenant-code/sandbox/*',
      './lib/identity/tenant-code/sandbox/calls/*',
      './node_modules/quickjs-emscripten-core/**/*',
      './node_modules/@jitl/**/*',
      // The threads that read XML.
      './dist/xml-thread.mjs',
      // The interfaces of the platform for actions.
      './dist/action-platform.js',
      './dist/explorer/*',
    ],
  },
  // Every client gets the title in the first bytes, not only crawlers: pages work without JavaScript.
  htmlLimitedBots: /.*/,
  images: { unoptimized: true },
  // Next itself answers under this path, including unknown files. Pages and endpoints have their own policies.
  headers: async () => [{ source: '/_next/:path*', headers: STRICT_HEADERS }],
  // `npm run check` type-checks every file. A build would also check the tests, and would delay a first start.
  typescript: { ignoreBuildErrors: true },
  devIndicators: false,
  // - A cache speeds up a second build of nearly the same sources, which is rare, and takes a fifth of every build.
  // - A page of the console that was fetched ahead (app/console/_parts/prefetch.tsx) is shown for so many seconds; Next allows no fewer.
  experimental: { turbopackFileSystemCacheForBuild: false, staleTimes: { dynamic: 0, static: 30 } },
}

/** Builds the style sheets for pages that route handlers render. */
async function writeStyle() {
  const { writeStyleSheets } = await import('./lib/server/node/css.mjs')
  await writeStyleSheets(fileURLToPath(new URL('public', import.meta.url)))
}

/** What `next build` does not bundle by itself, so that it alone is sufficient. */
async function writeOwnParts() {
  const { writePlatform } = await import('./lib/server/node/platform.mjs')
  const { writeXmlThread } = await import('./lib/server/node/xml-thread.mjs')
  const { writeExplorer } = await import('./lib/server/node/explorer.mjs')
  await Promise.all([writeStyle(), writeXmlThread(), writePlatform(), writeExplorer()])
}

/** Fails the build for settings with which every request of the deployment would fail. */
function refuseSettings() {
  // biome-ignore lint/style/noProcessEnv: a build has no other entry.
  const problems = impossibleSettings(process.env)
  if (problems.length > 0) throw new Error(problems.join('\n'))
}

/** @param {string} phase */
export default async function configure(phase) {
  if (phase === 'phase-production-build') refuseSettings()
  if (phase === 'phase-production-build' || phase === 'phase-development-server') await writeOwnParts()
  return config
}
