/** Sections of the dashboard as its URL names them, in the order of its menu. */
export const DASHBOARD_SECTIONS = [
  'overview',
  'users',
  'invitations',
  'catalogue',
  'library',
  'imports',
  'blocklist',
  'settings',
  'caches',
  'jobs',
  'backups',
  'audit',
] as const
export type DashboardSection = (typeof DASHBOARD_SECTIONS)[number]
