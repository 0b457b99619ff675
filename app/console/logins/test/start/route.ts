import { testRoute } from '../../../../../lib/server/next/console/routes'

export const dynamic = 'force-dynamic'
export const POST = testRoute
