// Runs before the few pages that Next renders, to give each its policy. Endpoint paths set their own headers and are
// never routed through here.
import type { NextRequest } from 'next/server'
import { withDocumentPolicy } from './lib/next/document-policy'

// biome-ignore lint/style/noProcessEnv: not a setting; Next puts the value in at build time.
const development = process.env.NODE_ENV === 'development'

export const proxy = (request: NextRequest) => withDocumentPolicy(request, { development })

export const config = { matcher: ['/', '/demo', '/dev/outbox'] }
