/** Names under which the dashboard stores data on the device. Names that other pages use too are in storage-keys.ts. */

/** Page sizes and hidden columns of the tables, as JSON. */
export const TABLE_LAYOUTS_KEY = 'marquee-tables'
