const PATHS = {
  home: 'M4 11.5 12 5l8 6.5V19a1 1 0 0 1-1 1h-4.5v-5.5h-5V20H5a1 1 0 0 1-1-1Z',
  applications: 'M4 5h7v6H4Zm9 0h7v6h-7ZM4 13h7v6H4Zm9 0h7v6h-7Z',
  apis: 'M8 7 3 12l5 5m8-10 5 5-5 5M13.5 5l-3 14',
  users: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8Zm-8 8c.6-3.6 3.8-5.5 8-5.5s7.400 1.900 8 5.500',
  roles: 'M12 3.500 19 6v5.500c0 4.500-3 7.500-7 9-4-1.500-7-4.500-7-9V6Z',
  organizations: 'M4 20V7l8-3v16m0-11 8 2.500V20M3 20h18M7.500 10v.01m0 4v.01M16 14v.01',
  connections:
    'M9 15 15 9M10.500 6.500 13 4a4.500 4.500 0 0 1 6.500 6.500L17 13m-10-2-2.500 2.500A4.500 4.500 0 0 0 11 20l2.500-2.500',
  look: 'M12 20a8 8 0 1 1 8-8c0 2.500-2 3-3.500 3H15a2 2 0 0 0-1.500 3.300c.6.700 0 1.700-1.500 1.700ZM8 11v.01M12 8v.01M16 11v.01',
  security: 'M6 11h12v9H6Zm2.500 0V8a3.500 3.500 0 0 1 7 0v3M12 14.500v2',
  actions: 'M13 3 5 14h6l-1 7 8-11h-6Z',
  providers: 'M4 6h16v12H4Zm0 1 8 6.500L20 7',
  logs: 'M5 6h14M5 12h14M5 18h9',
  streams: 'M4 8c3-3 5 3 8 0s5 3 8 0M4 15c3-3 5 3 8 0s5 3 8 0',
  settings: 'M4 7h9m4 0h3M4 17h3m4 0h9M15 5v4M9 15v4',
  administrators: 'M14.500 9.500a4 4 0 1 1-1.200-2.800M12 12l7 7m-2.500-2.500 2-2',
} as const

export type IconName = keyof typeof PATHS

/** Decoration beside a name. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="co-icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  )
}
