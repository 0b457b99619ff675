import { signInRoute } from '../../../../lib/server/next/console/routes'

export const dynamic = 'force-dynamic'
export const GET = signInRoute
