import { servePick } from '../../../../lib/server/next/console/pick'

export const dynamic = 'force-dynamic'
export const POST = servePick
