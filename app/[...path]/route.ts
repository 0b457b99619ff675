// Every endpoint of the table, and what is neither an endpoint nor a page. More specific routes of Next's, its pages, come first.
import { serveEndpoints } from '../../lib/server/next/serve'

export const dynamic = 'force-dynamic'
export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = serveEndpoints()
