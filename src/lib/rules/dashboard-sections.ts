/** Sections of the dashboard as its URL names them, in the order of its menu. */
export const SECTIONS = [
  'overview',
  'users',
  'invitations',
  'catalogue',
  'imports',
  'blocklist',
  'settings',
  'caches',
  'jobs',
  'backups',
  'audit',
] as const
export type Section = (typeof SECTIONS)[number]
