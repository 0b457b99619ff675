// The sign-in of the console with next-auth (docs/adr/0042): `sign-in`, `callback/latchkey` and `sign-out`.
import { serveAuth } from '../../../../lib/server/next/console/routes'

export const dynamic = 'force-dynamic'
export const { GET, POST } = serveAuth
