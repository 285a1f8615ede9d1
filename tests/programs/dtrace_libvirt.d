/* SPDX-License-Identifier: BSD-2-Clause */
provider libvirt {
	# file: src/util/vireventpoll.c
	# prefix: event_poll
	# binary: libvirtd
	# module: libvirt/util
	probe event_poll_add_handle(int watch, int fd, int events, void *cb, void *opaque, void *ff);
	probe event_poll_run(int nhandles, int timeout);

	# file: src/util/virobject.c
	# prefix: object
	probe object_ref(void *obj);
	probe object_new(void *obj, const char *klassname);

	# prefix: rpc
	probe rpc_client_msg_tx_queue(void *client, size_t len, int prog, int vers, int proc, int type,
		int status, int serial);
};
