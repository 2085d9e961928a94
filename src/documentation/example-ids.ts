// `npm start` creates the demo workspace with these ids, so the documentation's examples work there.
export const CREATED_AT = "2026-11-02T09:15:04.218Z";
export const SENT_AT = "2026-12-01T09:30:00.412Z";
export const DELIVERED_AT = "2026-12-01T09:30:01.960Z";
export const READ_AT = "2026-12-01T09:32:17.005Z";

export const exampleIds = {
  workspace: "ws_01kb9r2m4c7x0v6t8q3n5p1yhd",
  connection: "conn_01kb9r5d8g2f4s6j9a1z3w7xke",
  contact: "ct_01kb9rb1q5v8n3m7c0x2t4y6hp",
  otherContact: "ct_01kb9s5d2q6v0x4m8c1t3n7b9y",
  conversation: "cnv_01kb9rf6z2w4k8j1d3s5a7g9qx",
  note: "note_01kb9rh5d2f8j4s0a6w3k9z7qx",
  message: "msg_01kb9rg3m7c1v5x9n2t6b8y0hr",
  template: "tpl_01kb9rjw4s8d2f6g0a3k5j7z1q",
  campaign: "cmp_01kb9rn9t1y5h3p7r0v2m4c6xb",
  tag: "tag_01kb9rqe6k0j4d8s2w5a7z9g3f",
  customField: "cf_01kb9rsv3x7n1t5b9m2c4y6q8h",
  segment: "seg_01kb9rw0a4z8g2f6k1j5d7s9w3",
  media: "med_01kb9rya7c1x5v9m3n6t8b0q2p",
  cannedReply: "crp_01kb9rz3p9y5h1r7t0m4c8x2v6",
  webhook: "wh_01kb9s0p5h9y3r7t1m4c6x8v2n",
  event: "evt_01kb9s2z8k2j6d0s4w7a9g1f3q",
  delivery: "dlv_01kb9s4f1b5n9t3m7c0x2v4y6h",
  key: "key_01kb9s6w4d8s2g6a0z3k5j7f1r",
  member: "usr_01kb9s8b7x1v5c9m3n6t8y0q2p",
  job: "job_01kb9s9x2f6t0p4w8k3r7v1n5m",
  invitation: "inv_01kb9sad0h4r8p2t6b9n1m3c5x",
};

export const exampleMember = { id: exampleIds.member, name: "Nora Berg" };
