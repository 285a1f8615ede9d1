/* SPDX-License-Identifier: BSD-2-Clause */
/* What OTLP carries: each has a request of its own. */
#ifndef SDT_OTLP_SIGNAL_H
#define SDT_OTLP_SIGNAL_H

enum otlp_signal { OTLP_SIGNAL_SPANS, OTLP_SIGNAL_LOGS, OTLP_SIGNAL_METRICS, OTLP_SIGNALS };

#endif
