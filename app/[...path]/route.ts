import { serveNothing } from '../../lib/next/serve'

export const dynamic = 'force-dynamic'
export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = serveNothing()
