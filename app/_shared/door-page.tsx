import type { ReactNode } from 'react'
import { AuthCard } from '../../components/auth-card'
import { type DoorPosition, PageFrame } from '../../components/page-frame'

type Props = { title: string; door: DoorPosition; name?: string; children?: ReactNode }

/** A page in the dress of the hosted ones, for what Next answers before any tenant is known. */
export function DoorPage({ title, door, name = 'Latchkey', children }: Props) {
  return (
    <PageFrame branding={{ tenantName: name }} locale="en" direction="ltr" door={door}>
      <AuthCard title={title}>{children}</AuthCard>
    </PageFrame>
  )
}
