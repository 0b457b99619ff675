// Next renders what lib/node/server.ts does not answer itself, and everything on platforms that run `next build` alone.
import { rename, writeFile } from 'node:fs/promises'
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
  // Endpoint paths are answered as they were asked for; a 308 would lose a POST body with some clients.
  skipTrailingSlashRedirect: true,
  // Native code, programs that find their files beside themselves, and what only makes the build longer.
  serverExternalPackages: [
    '@node-rs/argon2',
    '@node-rs/bcrypt',
    '@peculiar/x509',
    '@xmldom/xmldom',
    '@zxcvbn-ts/language-common',
    'intl-messageformat',
    'ipaddr.js',
    'jose',
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
      // The thread that runs actions, and its interpreter.
      './lib/rules/sandbox/*',
      './node_modules/quickjs-emscripten-core/**/*',
      './node_modules/@jitl/**/*',
    ],
  },
  // The title is part of the first bytes for everybody, not only for crawlers: pages work without JavaScript.
  htmlLimitedBots: /.*/,
  images: { unoptimized: true },
  // Under these paths Next answers by itself, also what is not there. Pages and endpoints have policies of their own.
  headers: async () => [{ source: '/_next/:path*', headers: STRICT_HEADERS }],
  // `npm run check` does, for every file; a build would check the tests too, and make a first start wait for it.
  typescript: { ignoreBuildErrors: true },
  devIndicators: false,
}

/** Built here, so that `next build` alone is enough: the style sheet of the pages that route handlers answer. */
async function writeStyleSheet() {
  const { compileCss } = await import('./lib/node/css.mjs')
  const file = fileURLToPath(new URL('public/hosted.css', import.meta.url))
  const draft = `${file}.${process.pid}`
  await writeFile(draft, await compileCss())
  await rename(draft, file)
}

/** What could only be refused by every request of the deployment ends its build instead. */
function refuseSettings() {
  // biome-ignore lint/style/noProcessEnv: a build has no other entry.
  const problems = impossibleSettings(process.env)
  if (problems.length > 0) throw new Error(problems.join('\n'))
}

/** @param {string} phase */
export default async function configure(phase) {
  if (phase === 'phase-production-build') refuseSettings()
  if (phase === 'phase-production-build' || phase === 'phase-development-server') await writeStyleSheet()
  return config
}
