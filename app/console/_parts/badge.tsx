export function Badge({ danger = false, children }: { danger?: boolean; children: string }) {
  return <span className={danger ? 'co-badge co-badge-danger' : 'co-badge'}>{children}</span>
}
