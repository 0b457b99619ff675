import type { ReactNode } from 'react'
import { AuthCard } from '../../components/auth-card'
import { type DoorPosition, PageFrame } from '../../components/page-frame'

type Props = { title: string; door: DoorPosition; name?: string; children?: ReactNode }

/** A page in the design of the hosted pages, for pages that Next answers before a tenant is known. */
export function DoorPage({ title, door, name = 'Latchkey', children }: Props) {
  return (
    <PageFrame branding={{ tenantName: name }} locale="en" direction="ltr" door={door}>
      <AuthCard title={title}>{children}</AuthCard>
    </PageFrame>
  )
}
