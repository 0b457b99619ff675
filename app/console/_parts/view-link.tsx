import type { View } from '../../../lib/server/next/console/views/object-views'
import { say } from '../../../lib/text/console'
import { PageLink } from './links'

export const viewPath = (kind: string, id: string, as: View = 'raw'): string =>
  `/console/views/${kind}/${encodeURIComponent(id)}${as === 'raw' ? '' : `?as=${as}`}`

/** `kind`: a row of the views (lib/server/next/console/views/object-views.ts). `id`: any, where a tenant has one of the kind. */
export type Viewed = { kind: string; id: string }

/** The way to an object as JSON, as a call, in a tenant file and for Terraform. */
export const ViewLink = ({ kind, id }: Viewed) => (
  <p className="co-view-link">
    <PageLink href={viewPath(kind, id)} title={say('views.link')} />
  </p>
)
